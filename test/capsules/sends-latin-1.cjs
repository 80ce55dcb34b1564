// Writes its answer in an encoding of its own.
process.stdout.write(
  Buffer.from('{"type":"agent_response","status":"ok","result":"caf\u00e9"}\n', 'latin1'),
);
setInterval(() => {}, 1_000);
