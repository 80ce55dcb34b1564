interface BarProps {
  /** From 0 to 1. */
  readonly share: number;
  readonly tone?: 'run' | 'good' | 'wait' | 'bad' | 'ink';
  /** Accessible name. Without it, the bar is decorative, because the text beside it has the value. */
  readonly label?: string;
}

/** A horizontal bar that shows a share. */
export function Bar({ share, tone = 'ink', label }: BarProps) {
  const name = label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true };
  const width = `${Math.round(Math.min(1, Math.max(0, share)) * 1_000) / 10}%`;
  return (
    <svg className="bar" {...name}>
      <rect className="track" width="100%" height="6" />
      <rect className={`f-${tone}`} width={width} height="6" />
    </svg>
  );
}
