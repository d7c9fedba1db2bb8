/** Whether a header like Accept lists this value by name, without wildcards. */
export function accepts(header: string | readonly string[] | undefined, name: string): boolean {
  return String(header ?? '')
    .toLowerCase()
    .split(',')
    .some((range) => {
      const [taken, ...parameters] = range.split(';').map((part) => part.trim());
      return taken === name && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    });
}
