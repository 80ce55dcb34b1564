import type { Capstan } from '../../../app/open-capstan.ts';
import { counted } from '../../text/format.ts';
import { shortId } from '../../text/short-id.ts';
import { ageText, oneLine } from '../cell-text.ts';
import { paintState, stateSymbol, stateWords } from '../run-state.ts';
import { type ListColumn, workspaceColumn } from './list-column.ts';

export type ListedSession = Awaited<ReturnType<Capstan['sessions']['list']>>[number];

/** The columns of a list of sessions; the state is that of the newest run. `hasFolder`: sessions of several folders. */
export const sessionColumns = (hasFolder: boolean): readonly ListColumn<ListedSession>[] => [
  {
    name: 'session',
    value: ({ id }) => shortId(id),
    cell: (session, frame) => `${stateSymbol(session, frame)} ${shortId(session.id)}`,
    paint: paintState,
  },
  { name: 'newest_run', value: ({ newestAt }) => newestAt },
  { name: 'status', value: ({ status }) => status },
  { name: 'age', cell: ({ newestAt }, { now }) => ageText(newestAt, now), drop: 1 },
  {
    name: 'runs',
    value: ({ runs }) => String(runs),
    cell: ({ runs }) => counted(runs, 'task'),
    drop: 2,
  },
  workspaceColumn(hasFolder),
  {
    name: 'first_task',
    value: ({ task }) => oneLine(task),
    cell: 'value',
    cut: 'text',
    tail: stateWords,
  },
];
