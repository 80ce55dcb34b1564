import { commandGroup } from '../../help/group-help.ts';
import { capsulesCheck } from '../author/capsules-check.ts';
import { capsulesCompare } from '../author/capsules-compare.ts';
import { capsulesCreate } from '../author/capsules-create.ts';
import { capsulesDev } from '../author/capsules-dev.ts';
import { capsulesTest } from '../author/capsules-test.ts';
import { capsulesExport, capsulesImport } from '../author/share-capsule.ts';
import { capsulesMemory } from './capsules-memory.ts';
import {
  capsulesDelete,
  capsulesQuarantine,
  capsulesRestore,
  capsulesRewriteEntrypoints,
} from './manage-capsule.ts';
import { command as route } from './route.ts';
import { capsulesInspect, capsulesList, capsulesPrompt } from './show-capsule.ts';

export const command = commandGroup('capstan capsules', {
  topic: 'Extend',
  summary: 'List, make, test and share capsules',
  arguments: '[capsule]',
  argumentsNote: 'capsule: its id',
  subcommands: [
    capsulesList,
    capsulesInspect,
    capsulesPrompt,
    route,
    capsulesMemory,
    capsulesCreate,
    capsulesCheck,
    capsulesTest,
    capsulesDev,
    capsulesCompare,
    capsulesExport,
    capsulesImport,
    capsulesQuarantine,
    capsulesRestore,
    capsulesDelete,
    capsulesRewriteEntrypoints,
  ],
});
