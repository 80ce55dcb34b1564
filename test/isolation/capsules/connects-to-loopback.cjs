'use strict';
const net = require('node:net');
require('./tries.cjs')(
  ({ port }) =>
    new Promise((resolve, reject) => {
      net
        .connect(port, '127.0.0.1')
        .once('connect', () => resolve())
        .once('error', reject);
    }),
);
