import type { IntentRecord } from '../../contract/intent.ts';

type Deed = Pick<IntentRecord, 'name' | 'target'>;

/** Whether one effect may be the other in other words: nobody can see from its words what a command does. */
export function mayBeTheSame(one: Deed, other: Deed): boolean {
  if (isCommand(one) || isCommand(other)) return true;
  return toolOf(one) === toolOf(other) && one.target === other.target;
}

const isCommand = (deed: Deed): boolean => ['terminal', 'python_exec'].includes(toolOf(deed));

const toolOf = ({ name }: Deed): string => name.split('.')[0] ?? name;
