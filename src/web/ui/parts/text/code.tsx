import { visible } from '../../lib/text/format.ts';

/** Text as it is, in a box that scrolls. @param look Classes besides `code`. */
export const Code = ({ text, look = '' }: { text: string; look?: string }) => (
  <pre className={`code ${look}`} tabIndex={0}>
    {visible(text)}
  </pre>
);
