import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const digest = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 16);

/** Changes with the checker, its word list and Harper. */
function checkerDigest(): string {
  const folder = import.meta.dirname;
  const own = readdirSync(folder).filter((name) => !name.endsWith('.test.ts'));
  const texts = own.map((name) => readFileSync(join(folder, name), 'utf8'));
  const lock = createRequire(import.meta.url)('../../package-lock.json');
  return digest([...texts, lock.packages['node_modules/harper.js'].version].join('\0'));
}

/** The texts in which Harper found nothing, as digests in a file: only other texts are checked again. */
export class CleanTexts {
  readonly #path: string;
  readonly #checker = checkerDigest();
  readonly #known: ReadonlySet<string>;

  constructor(path: string) {
    this.#path = path;
    const [checker, ...digests] = readIfThere(path).split('\n');
    this.#known = new Set(checker === this.#checker ? digests : []);
  }

  has(text: string): boolean {
    return this.#known.has(digest(text));
  }

  /** Keeps only these texts. */
  keep(texts: Iterable<string>): void {
    mkdirSync(dirname(this.#path), { recursive: true });
    writeFileSync(this.#path, [this.#checker, ...[...texts].map(digest)].join('\n'));
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
