import { Icon } from '../../../parts/icon.tsx';

interface ChangedElsewhereProps {
  readonly keepMine: () => void;
  readonly takeSaved: () => void;
}

/** Another page or program saved the overlay while a draft of it is being written. */
export const ChangedElsewhere = ({ keepMine, takeSaved }: ChangedElsewhereProps) => (
  <div className="foot changed-elsewhere" role="alert">
    <Icon name="ask" className="mark wait" />
    <span>
      <strong>skill.md was saved elsewhere while you wrote.</strong> Your draft is kept; Difference
      shows it against the saved text.
    </span>
    <span className="actions push">
      <button type="button" className="btn" onClick={keepMine}>
        Keep mine
      </button>
      <button type="button" className="btn" onClick={takeSaved}>
        Take the saved one
      </button>
    </span>
  </div>
);
