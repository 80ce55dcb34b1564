import { useEffect, useRef, useState } from 'react';
import { visible } from '../../../lib/text/format.ts';

/** Maximum size of a picture, in pixels: about 160 MB of memory. */
const MAX_PIXELS = 40_000_000;

/** Draws a picture on a canvas, because the content security policy allows no other images. */
export function Picture({ content, path }: { content: Uint8Array; path: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState<string | undefined>();
  const [problem, setProblem] = useState<string | undefined>();
  useEffect(() => {
    let isWanted = true;
    createImageBitmap(new Blob([new Uint8Array(content)])).then(
      (bitmap) => {
        const { width, height } = bitmap;
        const place = canvas.current;
        if (isWanted && width * height > MAX_PIXELS) {
          setProblem(
            `It has ${width} × ${height} pixels, too many to show. Download it to open it.`,
          );
        } else if (isWanted && place) {
          Object.assign(place, { width, height });
          place.getContext('2d')?.drawImage(bitmap, 0, 0);
          setSize(`${width} × ${height} pixels`);
        }
        bitmap.close();
      },
      () => isWanted && setProblem('The picture cannot be shown. Download it to open it.'),
    );
    return () => {
      isWanted = false;
    };
  }, [content]);
  if (problem) return <p className="body sm dim">{problem}</p>;
  return (
    <figure className="file-view picture">
      <canvas ref={canvas} role="img" aria-label={visible(path)} />
      <figcaption className="xs dim">{size ?? 'Loading'}</figcaption>
    </figure>
  );
}
