/** Reads a list to its end, page by page. */
export async function everyPage<Page extends { nextCursor?: string | undefined }>(
  read: (place: { cursor?: string }) => Promise<Page>,
): Promise<Page[]> {
  const pages: Page[] = [];
  for (let cursor: string | undefined; pages.length === 0 || cursor !== undefined; ) {
    const page = await read(cursor === undefined ? {} : { cursor });
    pages.push(page);
    cursor = page.nextCursor;
  }
  return pages;
}
