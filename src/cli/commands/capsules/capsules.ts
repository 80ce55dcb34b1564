import { byTopic, commandGroup } from '../../help/command-group.ts';
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
  summary: 'List, create, test and share capsules',
  arguments: '[capsule]',
  subcommands: byTopic({
    Inspect: [capsulesList, capsulesInspect, capsulesPrompt, route, capsulesMemory],
    Create: [capsulesCreate, capsulesCheck, capsulesTest, capsulesDev, capsulesCompare],
    Share: [capsulesExport, capsulesImport],
    Manage: [capsulesQuarantine, capsulesRestore, capsulesDelete, capsulesRewriteEntrypoints],
  }),
});
