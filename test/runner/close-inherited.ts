import { closeInherited } from '../../src/runtime/process/close-inherited.ts';

// As the command line does at its start: what runs the tests may have left something open.
closeInherited();
