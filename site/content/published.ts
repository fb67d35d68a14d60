/** Which rows are on the public site, as conditions of SQL: the build asks for them, and the copies that it reads hold no others. */
export const published = { articles: "status = 'PUBLISHED'", media: 'width IS NOT NULL' } as const;
