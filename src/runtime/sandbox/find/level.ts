import { type IsolationLevel, isolationLevels } from '../../../contract/permissions/isolation.ts';

export const isAtLeast = (level: IsolationLevel, wanted: IsolationLevel): boolean =>
  isolationLevels.indexOf(level) <= isolationLevels.indexOf(wanted);

/** The guarantees of each level and their limits, in one sentence for a person. */
export const levelSentences: Readonly<Record<IsolationLevel, string>> = {
  A: 'bubblewrap with an allow-list of files, no network, separate namespaces, a system call filter and limits',
  B: 'Landlock with an allow-list of files, a system call filter and limits; other processes can be seen, and commands could change the mode, owner and times of your other files',
  C: "Node's permission model and limits; network and signals are open, and commands and Python are refused",
  none: 'no sandbox: everything runs with your permissions, and processes that detach themselves can outlive their call',
};
