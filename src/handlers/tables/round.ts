/** Rounds half away from zero by the decimal digits that a person sees: 1.005 to 2 decimals is 1.01. Without decimals, drops the noise of binary fractions (14 digits stay). */
export function roundTo(value: number, decimals: number | undefined): number {
  if (!Number.isFinite(value) || Number.isSafeInteger(value)) return value;
  const clean = Number(value.toPrecision(14));
  if (decimals === undefined) return clean;
  const [digits = '0', exponent = '0'] = Math.abs(clean).toExponential().split('e');
  const shifted = Math.round(Number(`${digits}e${Number(exponent) + decimals}`));
  return Math.sign(clean) * Number(`${shifted}e-${decimals}`);
}
