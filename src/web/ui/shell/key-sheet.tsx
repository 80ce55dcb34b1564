import { useEffect, useRef, useState } from 'react';
import { areKeysOn, switchKeys } from '../lib/use-keys.ts';
import { Button } from '../parts/input/button.tsx';
import { places } from './places.ts';

/** The keys by where they work, as `key: what it does`. */
const groups: readonly (readonly [string, string])[] = [
  [
    'Everywhere',
    `${places.map(([, name, , keys]) => `${keys}: ${name}`).join('|')}|/: Search|c: New task|t: Light or dark|?: These keys|Esc: Close, leave a field`,
  ],
  ['Lists', 'j k: Move|↵: Open|x: Select a run, to compare two|C: Compare the two'],
  [
    'A question',
    'y: Allow once|Y: Allow always (opens the editor)|n: Deny once|N: Deny always (opens the editor)|e: Explain|s: Skip|1 – 4: Choose|m: Note to the capsule|Space: Show more of the request|End: Show the end of the request',
  ],
  [
    'A run',
    '] [: Next and previous part|o: Open or close a request|p: Pause or follow the log|f: Filter the log',
  ],
  ['Writing', 'Ctrl ↵: Run, send, run the cases|Ctrl S: Save the overlay'],
];

/** Lists the keys, with the switch for single-letter keys. */
export function KeySheet({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOn, setOn] = useState(areKeysOn());
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  const toggle = () => {
    switchKeys();
    setOn(areKeysOn());
  };
  return (
    <dialog ref={dialog} className="sheet-keys" onClose={close} aria-label="Keys">
      <div className="head">
        <h2>Keys</h2>
        <Button word="Close" look="quiet push" hotkey="Esc" onClick={close} />
      </div>
      <div className="key-groups">
        {groups.map(([title, keys]) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {keys
                .split('|')
                .map((line) => line.split(': '))
                .map(([key, what]) => (
                  <div key={key}>
                    <dt>
                      <kbd>{key}</kbd>
                    </dt>
                    <dd>{what}</dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
      <label className="check foot">
        <input type="checkbox" checked={isOn} onChange={toggle} /> Use single-letter keys
      </label>
    </dialog>
  );
}
