// Can't stop after its final.
const final = (result) => JSON.stringify({ type: 'agent_response', status: 'ok', result });
console.log(final('the first'));
console.log(final('the second'));
console.log('{"type":"tool_call_intent","tool":"late","args":{}}');
process.stdout.write(Buffer.from([0xff, 0x0a]));
setInterval(() => console.log('x'.repeat(100_000)), 1);
