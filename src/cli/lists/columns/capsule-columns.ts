import type { ListedCapsule } from '../../../app/capsules/list-capsules.ts';
import { figureCells, figureColumns } from '../../text/capsule-document.ts';
import { counted } from '../../text/format.ts';
import { oneLine } from '../cell-text.ts';
import type { ListColumn } from './list-column.ts';

/** The columns of a list of capsules. */
export const capsuleColumns: readonly ListColumn<ListedCapsule>[] = [
  {
    name: 'capsule',
    value: ({ capsule }) => oneLine(capsule.id),
    cell: 'value',
    paint: (cell, _row, { style }) => style.bold(cell),
  },
  { name: 'status', value: ({ quarantine }) => (quarantine ? 'quarantined' : 'ready') },
  {
    name: 'origin',
    value: ({ capsule, isEdited }) => (isEdited ? 'shipped, edited' : capsule.origin),
    cell: 'value',
    drop: 1,
  },
  {
    name: 'works_as',
    value: ({ capsule }) => capsule.manifest.task_kinds.map(({ mode }) => mode).join(', '),
  },
  ...figureColumns.map(
    (name, index): ListColumn<ListedCapsule> => ({
      name,
      value: ({ figures }) => figureCells(figures)[index] ?? '',
      ...(name === 'uses'
        ? { cell: ({ figures }) => (figures ? counted(figures.uses, 'use') : 'unused'), drop: 2 }
        : name === 'success'
          ? { cell: ({ figures }) => (figures ? (figureCells(figures)[index] ?? '') : ''), drop: 0 }
          : {}),
      isNumber: name !== 'uses',
    }),
  ),
  {
    name: 'for',
    value: ({ capsule }) => oneLine(capsule.manifest.description),
    cell: 'value',
    cut: 'text',
    tail: ({ quarantine }) => (quarantine ? 'quarantined' : ''),
  },
];
