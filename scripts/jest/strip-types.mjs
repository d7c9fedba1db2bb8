import { createHash } from 'node:crypto';
import { stripTypeScriptTypes } from 'node:module';

/** Tests run what a home runs: Node's own type stripping, and nothing else. */
export default {
  process: (source) => ({ code: stripTypeScriptTypes(source, { mode: 'strip' }) }),
  getCacheKey: (source, path) =>
    createHash('sha256').update(`${process.version}\0${path}\0${source}`).digest('hex'),
};
