'use strict';
require('./tries.cjs')(({ canary }) => void require('node:fs').readFileSync(canary));
