/** The text of a mail as its reader sees it, of data that went out as quoted-printable. */
export const mailText = (data: string): string =>
  Buffer.from(
    data
      .replaceAll('=\r\n', '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();
