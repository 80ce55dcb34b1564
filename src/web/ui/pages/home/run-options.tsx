import type { Overview } from '../../lib/api-documents.ts';

/** Fields for what a run uses: a capsule, a kind of model, a budget. */
export const RunOptions = ({ capsules }: Pick<Overview, 'capsules'>) => (
  <>
    <label className="field">
      Capsule
      <select className="in" name="capsule">
        <option value="">Chosen for each step</option>
        {capsules.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
    <label className="field">
      Model hint
      <select className="in" name="hint">
        <option value="">As planned</option>
        <option value="fast">Fast</option>
        <option value="balanced">Balanced</option>
        <option value="best">Best</option>
      </select>
    </label>
    <label className="field">
      Budget
      <input
        className="in num"
        name="budget"
        placeholder="asked"
        inputMode="decimal"
        pattern="\$?\d*(\.\d+)?"
      />
    </label>
  </>
);
