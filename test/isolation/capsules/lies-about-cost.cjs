'use strict';
const { writeSync } = require('node:fs');
const request = { kind: 'chat', messages: [{ role: 'user', content: 'hi' }] };
const intent = {
  type: 'api_call_intent',
  id: 'a',
  provider: 'free',
  endpoint: 'free',
  request,
  reason: '',
  estimated_cost_usd: -5,
};
writeSync(1, `${JSON.stringify(intent)}\n`);
setInterval(() => {}, 1_000);
