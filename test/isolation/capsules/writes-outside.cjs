'use strict';
require('./tries.cjs')(({ outside }) =>
  require('node:fs').writeFileSync(`${outside}/planted`, 'x'),
);
