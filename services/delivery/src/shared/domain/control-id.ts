/** Prints the id of a control message: msg_<type>_ and 32 hex digits. */
export function controlId(type: 'verification' | 'gap' | 'terminated', uuid: string): string {
  return `msg_${type}_${uuid.replaceAll('-', '')}`;
}
