// Logs some lines to stdout, then answers.
for (let i = 0; i < 100; i += 1) console.log(`debug ${i} \u001b[31mred\u202e`);
console.log(JSON.stringify({ type: 'agent_response', status: 'ok', result: 'done' }));
