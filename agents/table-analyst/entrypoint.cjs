'use strict';
const { start } = require(process.env.CAPSTAN_SDK);
start({ handlers: () => require('./handlers.cjs').handlers });
