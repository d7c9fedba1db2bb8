/** Why a home accepted nothing, as text for the operator: by error code, status, or transport error. */
const words: Readonly<Record<string, string>> = {
  timeout: 'it did not answer in time',
  connection_refused: 'no connection to it could be made, or it broke off',
  lookup_failed: 'its name leads nowhere',
  tls_error: 'its certificate is not good',
  refused_address: 'its name leads to an address that is not public',
  denied: 'it does not talk with this home; its operator decides that',
  unknown_key:
    'it does not know the key of this home: it cannot fetch the document of this home, or waits for one that the recovery key signed',
  key_change: 'it takes this home for another one under the old name, until its operator accepts the key',
  bad_signature: 'it does not take the signature of this home',
  clock: 'its clock and that of this home differ by more than 5 minutes',
  out_of_step: 'the two homes do not agree how far the log went',
  wrong_destination: 'it goes by another name',
};

export function troubleOf(code: string): string {
  const said = words[code];
  if (said !== undefined) return `${said} (${code})`;
  const [, status] = /^http_(\d{3})$/.exec(code) ?? [];
  return status === undefined ? `it answered with: ${code}` : `it answered with status ${status}`;
}
