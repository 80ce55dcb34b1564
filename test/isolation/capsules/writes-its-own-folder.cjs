'use strict';
require('./tries.cjs')(() => require('node:fs').writeFileSync(`${__dirname}/manifest.json`, '{}'));
