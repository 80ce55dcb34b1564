'use strict';
require('./tries.cjs')(({ home }) => void require('node:fs').readdirSync(home));
