import { type RecordType, recordTypes } from '@hearth/signing';
import type { Command, CommandContext, Values } from '../command.ts';
import { Failure, UsageError } from '../failure.ts';
import { askDigest } from '../record/ask-digest.ts';
import { checkRecord, claimedHome, maxRecordBytes, type Verdict } from '../record/check-record.ts';
import { describeRefused, describeValid } from '../record/describe.ts';
import { findDocument, findOwnDocument } from '../record/find-document.ts';
import type { HomeDocument } from '../record/home-document.ts';

const usual: RecordType = 'svc-record+jws';

export const recordVerify: Command = {
  name: 'record verify',
  summary: 'verify a record that a home signed, such as the answer to an ask',
  usage: '<file|-> [--home <file or URL> ...] [--type <typ>] [--ask <file>]',
  help: `<file|->                 the record as JSON, such as the signed_answer of an approval; - reads the standard input

Options:
  --home <file or URL>   the document of the home that signed it: a copy that you keep, or the https address of its
                         /.well-known/service.json. When not given, that of the home at --site. Given once more for each
                         other home whose people answered: their answers are verified by the acts that their home signed
  --type <typ>           what it must be: ${recordTypes.join(', ')}.
                         When not given, ${usual}
  --ask <file>           what was asked: the body of ask_approval, or the approval as the home answered it. The digest
                         of it must be the one in the record. Who is under 18 is named under-18 in it

The keys come from that document alone. With a file nothing is fetched. A record that does not verify ends with the
exit status 1, and so does a document that cannot be had. With --json the verdict is printed in either case, with "record"
when it is valid.`,
  arguments: ['file'],
  options: {
    home: { type: 'string', multiple: true },
    type: { type: 'string' },
    ask: { type: 'string' },
  },
  async run(context) {
    const { values, args, deps, report } = context;
    const type = typeOf(values);
    const [file] = args as [string];
    const ask = values.ask as string | undefined;
    if ([file, ask, ...homesOf(values)].filter((name) => name === '-').length > 1) {
      throw new UsageError('the standard input, -, can be given once');
    }
    if (ask !== undefined && type !== usual)
      throw new UsageError(`--ask is for the answer to an ask, a ${usual}`);
    const bytes = await deps.readInput(file, maxRecordBytes);
    const digest = ask === undefined ? null : askDigest(await deps.readInput(ask, maxRecordBytes), ask);
    const documents = await documentsFor(context);
    const document = signerOf(bytes, documents);
    const verdict = checkRecord(bytes, { document, documents, type, digest, now: deps.clock.now() });
    report(forPrograms(verdict, type, document), () => tell(verdict, document));
    // The exit status says it to programs too.
    if (verdict.record === null) tell(verdict, document);
  },
};

/** @throws Failure for a record that does not verify */
function tell(verdict: Verdict, document: HomeDocument): string {
  if (verdict.record === null) throw new Failure(describeRefused(verdict));
  return describeValid(verdict.record, verdict, document);
}

function typeOf({ type = usual }: Values): RecordType {
  const found = recordTypes.find((known) => known === type);
  if (found === undefined)
    throw new UsageError(`--type is "${type}"; expected one of ${recordTypes.join(', ')}`);
  return found;
}

const homesOf = ({ home }: Values): string[] => (Array.isArray(home) ? home.map(String) : []);

/** At least one. */
async function documentsFor({ values, home, deps }: CommandContext): Promise<HomeDocument[]> {
  const given = homesOf(values);
  if (given.length === 0) return [await findOwnDocument(home.site, deps)];
  return await Promise.all(given.map((one) => findDocument(one, deps)));
}

/** The document of the home that the record names, or else the first. */
function signerOf(bytes: Uint8Array, documents: readonly HomeDocument[]): HomeDocument {
  const home = claimedHome(bytes);
  return documents.find((document) => document.home === home) ?? documents[0]!;
}

function forPrograms(verdict: Verdict, type: RecordType, document: HomeDocument) {
  const { source, home, issued_at, valid_until } = document;
  const { record, ...rest } = verdict;
  return { ...rest, typ: type, document: { source, home, issued_at, valid_until }, record };
}
