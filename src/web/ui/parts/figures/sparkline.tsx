/** A line chart without axes. @param label Accessible name. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const top = Math.max(1e-9, ...values);
  const x = (index: number) => (index / Math.max(1, values.length - 1)) * 118 + 1;
  const y = (value: number) => 22 - (value / top) * 20;
  const points = values.map((value, index) => `${x(index).toFixed(1)} ${y(value).toFixed(1)}`);
  return (
    <svg viewBox="0 0 120 24" preserveAspectRatio="none" role="img" aria-label={label}>
      {points.length > 0 && <path className="spark" d={`M${points.join('L')}`} />}
    </svg>
  );
}
