'use strict';
const { start, requireCompiled } = require(process.env.CAPSTAN_SDK);
start({ handlers: () => requireCompiled(require.resolve('./handlers.cjs')).handlers });
