import type * as Signing from '@hearth/signing';
import type { KeyCase, SequenceCase, SignedCase, TextCase, VectorFile } from './format.ts';

/** The part of our verifier that the vectors test. */
export type Verifier = Pick<
  typeof Signing,
  | 'canonicalize'
  | 'digest'
  | 'goodCoSignatures'
  | 'importPublicKey'
  | 'keyFrom'
  | 'parseStrictJson'
  | 'readHomeDocument'
  | 'receiveDocument'
  | 'thumbprint'
  | 'verifyRecord'
>;

export interface Answer {
  valid: boolean;
  /** The text of a refusal. */
  problem: string;
  kids: string[];
  /** Undefined where there are no co-signatures. */
  co_kids?: string[] | undefined;
}

const refused = (problem: string): Answer => ({ valid: false, problem, kids: [] });

/**
 * Returns a verifier's answer about a signed object, with the keys of the file or of the case. A home document uses its
 * own keys.
 */
export function answerSigned(verifier: Verifier, file: VectorFile<SignedCase>, vector: SignedCase): Answer {
  const { home = '', now: moment = '' } = file;
  const now = Date.parse(moment);
  try {
    // Every object is passed as text, even if the file shows it as an object.
    const object = verifier.parseStrictJson(vector.text ?? JSON.stringify(vector.object));
    if (vector.expected_type === 'svc-home+jws') {
      const read = verifier.readHomeDocument(object, { home, now });
      if (typeof read === 'string') return refused(read);
      return read.lapsed ? refused('it has passed') : { valid: true, problem: '', kids: read.kids };
    }
    const keys = (vector.keys ?? file.keys) as Signing.ListedKey[];
    const options = { expectedType: vector.expected_type, home, keys, now };
    const { valid, problems, kids } = verifier.verifyRecord(object, options);
    const co = verifier.goodCoSignatures(object, options).map(({ kid }) => kid);
    return { valid, problem: problems.join('; '), kids, ...(vector.co_kids && { co_kids: co }) };
  } catch (error) {
    return refused((error as Error).message);
  }
}

type SequenceAnswer = Pick<
  SequenceCase['steps'][number],
  'verdict' | 'doc_seq' | 'revoked' | 'requests' | 'items'
>;

/** The expected steps, in the form that `answerSequence` returns. */
export const expectedSteps = ({ steps }: SequenceCase): SequenceAnswer[] =>
  steps.map(({ verdict, doc_seq, revoked, requests, items }) => ({
    verdict,
    doc_seq,
    revoked,
    ...(requests && { requests }),
    ...(items && { items }),
  }));

/** Returns a reader's verdicts on successive documents, in the form of the case. */
export function answerSequence(
  { keyFrom, parseStrictJson, receiveDocument }: Verifier,
  home: string,
  { steps }: SequenceCase,
): SequenceAnswer[] {
  let kept: Signing.KeptDocument | null = null;
  return steps.map(({ at, object, word, requests, items }) => {
    const document = parseStrictJson(JSON.stringify(object));
    const received: Signing.Received = receiveDocument(kept, document, {
      home,
      now: Date.parse(at),
      ...(word !== undefined && { word }),
    });
    // Kept as JSON between two documents.
    kept = JSON.parse(JSON.stringify(received.kept)) as Signing.KeptDocument | null;
    const named = (use: 'request' | 'record', kids: object) =>
      Object.fromEntries(
        Object.keys(kids).map((kid) => {
          const found = keyFrom(kept, { kid, use, now: Date.parse(at) });
          return [kid, typeof found === 'string' ? found : ('good' as const)];
        }),
      );
    return {
      verdict: received.verdict,
      doc_seq: kept?.document.doc_seq ?? null,
      revoked: kept?.revoked ?? [],
      ...(requests && { requests: named('request', requests) }),
      ...(items && { items: named('record', items) }),
    };
  });
}

/** Returns the canonical text and its digest, or the text of the refusal. */
export function answerText(verifier: Verifier, vector: TextCase): [string, string] | string {
  try {
    const value = verifier.parseStrictJson(vector.text ?? Buffer.from(vector.bytes_base64 ?? '', 'base64'));
    if (!vector.valid) return ['taken', ''];
    return [verifier.canonicalize(value), verifier.digest(value)];
  } catch (error) {
    return (error as Error).message;
  }
}

/** Returns the thumbprint of an accepted key, or the text of the refusal after "refused: ". */
export function answerKey(verifier: Verifier, { jwk }: KeyCase): string {
  try {
    return verifier.thumbprint(verifier.importPublicKey(jwk).x);
  } catch (error) {
    return `refused: ${(error as Error).message}`;
  }
}

export interface Vectors {
  signed: Readonly<Record<string, VectorFile<SignedCase>>>;
  sequences: VectorFile<SequenceCase>;
  texts: VectorFile<TextCase>;
  keys: VectorFile<KeyCase>;
}

/** Yields the names of the vectors that a verifier answers differently. */
export function* failedVectors(verifier: Verifier, vectors: Vectors): Generator<string> {
  for (const [name, file] of Object.entries(vectors.signed)) {
    for (const vector of file.cases) {
      const { valid, kids, co_kids } = answerSigned(verifier, file, vector);
      const right =
        valid === vector.valid && (!valid || (same(kids, vector.kids) && same(co_kids, vector.co_kids)));
      if (!right) yield `${name}: ${vector.name}`;
    }
  }
  for (const vector of vectors.texts.cases) {
    const answer = answerText(verifier, vector);
    const expected = [vector.canonical, vector.digest];
    if (vector.valid ? !same(answer, expected) : typeof answer !== 'string')
      yield `json.json: ${vector.name}`;
  }
  for (const vector of vectors.keys.cases) {
    const answer = answerKey(verifier, vector);
    if (vector.valid ? answer !== vector.thumbprint : !answer.startsWith('refused: '))
      yield `keys.json: ${vector.name}`;
  }
  const { home = '', cases } = vectors.sequences;
  for (const vector of cases) {
    if (!same(answerSequence(verifier, home, vector), expectedSteps(vector)))
      yield `home-sequences.json: ${vector.name}`;
  }
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
