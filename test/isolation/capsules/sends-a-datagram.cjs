'use strict';
const socket = require('node:dgram');
require('./tries.cjs')(
  ({ port }) =>
    new Promise((resolve, reject) => {
      const one = socket.createSocket('udp4');
      one.once('error', reject);
      one.send('x', port, '127.0.0.1', (error) => (error ? reject(error) : resolve()));
    }),
);
