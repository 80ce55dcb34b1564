/** Stands in for `onnxruntime-web`: the transformers library imports it always and uses it in browsers only. */
export const env = {};
