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
      <button type="button" className="btn" onClick={keepMine}>
        Keep mine
      </button>
      <button type="button" className="btn" onClick={takeSaved}>
        Use the saved text
      </button>
    </span>
  </div>
);
