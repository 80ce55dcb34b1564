'use strict';
require('./tries.cjs')(() =>
  require('node:dns/promises')
    .resolve4('example.com')
    .then(() => {}),
);
