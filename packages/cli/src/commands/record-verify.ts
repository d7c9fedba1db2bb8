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
  summary: 'Verify a record signed by a home, such as the answer to an ask',
  usage: '<file|-> [--home <file or URL> ...] [--type <typ>] [--ask <file>]',
  help: `<file|->                 the record as JSON, e.g. the signed_answer of an approval; - reads standard input

Options:
  --home <file or URL>   the document of the home that signed it: a saved copy, or the https URL of its
                         /.well-known/service.json (default: the home at --site). Repeat it for each other home whose
                         people answered, to verify their answers by the acts that those homes signed
  --type <typ>           expected type: ${recordTypes.join(', ')}
                         (default: ${usual})
  --ask <file>           the ask, to compare with the record by its digest: the body of ask_approval, or the approval
                         that the home returned. People under 18 are named under-18

Only keys in the given documents are trusted. If all documents are files, nothing is fetched. The exit status is 1 if the
record is invalid or a document can't be read. --json prints the verdict in either case, with "record" if it is valid.`,
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
      throw new UsageError('standard input (-) can be used only once');
    }
    if (ask !== undefined && type !== usual) throw new UsageError(`--ask requires --type ${usual}`);
    const bytes = await deps.readInput(file, maxRecordBytes);
    const digest = ask === undefined ? null : askDigest(await deps.readInput(ask, maxRecordBytes), ask);
    const documents = await documentsFor(context);
    const document = signerOf(bytes, documents);
    const verdict = checkRecord(bytes, { document, documents, type, digest, now: deps.clock.now() });
    report(forPrograms(verdict, type, document), () => tell(verdict, document));
    // Programs learn the result from the exit status.
    if (verdict.record === null) tell(verdict, document);
  },
};

/** @throws Failure if the record isn't valid */
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

/** The document of the home that the record names; the first document if none matches. */
function signerOf(bytes: Uint8Array, documents: readonly HomeDocument[]): HomeDocument {
  const home = claimedHome(bytes);
  return documents.find((document) => document.home === home) ?? documents[0]!;
}

function forPrograms(verdict: Verdict, type: RecordType, document: HomeDocument) {
  const { source, home, issued_at, valid_until } = document;
  const { record, ...rest } = verdict;
  return { ...rest, typ: type, document: { source, home, issued_at, valid_until }, record };
}
