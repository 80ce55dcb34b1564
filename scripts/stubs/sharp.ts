/** Stands in for `sharp`: text models need no images, and the library only checks that it is a function. */
export default function sharp(): never {
  throw new Error('images are not part of this build');
}
