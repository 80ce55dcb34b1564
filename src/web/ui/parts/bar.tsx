interface BarProps {
  /** 0 to 1. */
  readonly share: number;
  readonly tone?: 'run' | 'good' | 'wait' | 'bad' | 'ink';
  /** What it says, for those who do not see it. Without it, the text beside it does. */
  readonly label?: string;
}

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
