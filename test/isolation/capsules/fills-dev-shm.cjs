'use strict';
require('./tries.cjs')(() => require('node:fs').writeFileSync('/dev/shm/fill', 'x'));
