'use strict';
require('./tries.cjs')(({ pid }) => void require('node:fs').openSync(`/proc/${pid}/mem`));
