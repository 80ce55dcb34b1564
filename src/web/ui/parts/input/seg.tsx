interface SegProps<Value extends string | boolean> {
  /** Accessible name. */
  readonly label: string;
  readonly value: Value;
  readonly set: (value: Value) => void;
  /** Values with their words. */
  readonly choices: readonly (readonly [Value, string])[];
  readonly className?: string;
}

/** Buttons of which one is pressed. */
export const Seg = <Value extends string | boolean>(props: SegProps<Value>) => (
  // biome-ignore lint/a11y/useSemanticElements: buttons, not fields
  <div className={`seg ${props.className ?? ''}`} role="group" aria-label={props.label}>
    {props.choices.map(([value, word]) => (
      <button
        key={String(value)}
        type="button"
        aria-pressed={props.value === value}
        onClick={() => props.set(value)}
      >
        {word}
      </button>
    ))}
  </div>
);
