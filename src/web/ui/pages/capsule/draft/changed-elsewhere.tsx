import { Button } from '../../../parts/button.tsx';
import { Icon } from '../../../parts/icon.tsx';

interface ChangedElsewhereProps {
  readonly keepMine: () => void;
  readonly takeSaved: () => void;
}

/** Warns that the overlay was saved elsewhere while a draft was being written. */
export const ChangedElsewhere = ({ keepMine, takeSaved }: ChangedElsewhereProps) => (
  <div className="foot changed-elsewhere" role="alert">
    <Icon name="ask" className="mark wait" />
    <span>
      <strong>skill.md was saved elsewhere.</strong> Your draft is kept. Difference compares it with
      the saved text.
    </span>
    <span className="actions push">
      <Button word="Keep mine" onClick={keepMine} />
      <Button word="Use the saved text" onClick={takeSaved} />
    </span>
  </div>
);
