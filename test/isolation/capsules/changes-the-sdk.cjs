'use strict';
require('./tries.cjs')(() => require('node:fs').appendFileSync(process.env.CAPSTAN_SDK, 'x'));
