import { measureRoundTrip } from './round-trip.ts';

const { raw, ours } = await measureRoundTrip();
console.log(`raw ${raw.toFixed(1)} µs, ours ${ours.toFixed(1)} µs: ${(ours / raw).toFixed(2)}x`);
