import type { Overview } from '../../../../contract/documents/state-documents.ts';
import { modelHints } from '../../../../contract/wire/model-hints.ts';
import { OFFLINE } from '../../lib/text/format.ts';

interface RunOptionsProps extends Pick<Overview, 'capsules' | 'models'> {
  /** The id of the capsule that is chosen at first, or ''. */
  readonly capsule: string;
}

/** Fields for the capsule, model and budget of a run. Without a model, the last two are disabled. */
export const RunOptions = ({ capsules, models, capsule }: RunOptionsProps) => (
  <>
    <label className="field">
      Capsule
      <select className="in" name="capsule" key={capsules.length} defaultValue={capsule}>
        <option value="">Chosen for each step</option>
        {capsules.map(({ id, name }) => (
          <option key={id} value={id}>
            {capsules.filter((one) => one.name === name).length > 1 ? `${name} (${id})` : name}
          </option>
        ))}
      </select>
    </label>
    <label className="field">
      Model
      <select className="in" name="hint" disabled={models === null}>
        <option value="">{models === null ? 'No model' : 'Chosen by the plan'}</option>
        {models !== null &&
          modelHints.map((hint) => (
            <option key={hint} value={hint}>
              {words[hint]}: {models[hint]}
            </option>
          ))}
        {models !== null && <option value={OFFLINE}>Without a model</option>}
      </select>
    </label>
    <label className="field">
      Budget
      <input
        className="in num"
        name="budget"
        placeholder={models === null ? 'free' : 'from settings'}
        disabled={models === null}
        inputMode="decimal"
        pattern="\$?\d*(\.\d+)?"
      />
    </label>
  </>
);

const words: Readonly<Record<(typeof modelHints)[number], string>> = {
  fast: 'Fast',
  balanced: 'Balanced',
  best: 'Best',
};
