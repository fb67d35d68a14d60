/**
 * The part of HubSpot's client that the tests call. Its own declarations are 2,400 files, more than all code here
 * together, and would take most of the time of a type check.
 */
type Properties = Record<string, string | null>;
type FoundRecord = { id: string; properties: Properties; createdAt: Date; associations?: Record<string, unknown> };
type Page = { results: FoundRecord[]; paging?: { next?: { after: string } } };
type NewAssociation = { to: { id: string }; types: { associationCategory: never; associationTypeId: number }[] };
type NewRecord = { properties: Record<string, string>; associations: NewAssociation[] };
type Link = { toObjectId: string; associationTypes: { typeId: number }[] };

type Search = {
  filterGroups: { filters: { propertyName: string; operator: 'EQ'; value: string }[] }[];
  properties: string[];
  sorts: string[];
  limit: number;
  after: string;
};

type Objects = {
  getAll(limit?: number, after?: string, properties?: string[]): Promise<FoundRecord[]>;
  basicApi: {
    getPage(limit?: number, after?: string, properties?: string[]): Promise<Page>;
    getById(id: string, properties?: string[], withHistory?: string[], associations?: string[]): Promise<FoundRecord>;
    create(record: NewRecord): Promise<FoundRecord>;
    update(id: string, record: { properties: Record<string, string> }): Promise<FoundRecord>;
    archive(id: string): Promise<void>;
  };
  batchApi: {
    read(request: {
      inputs: { id: string }[];
      properties: string[];
      propertiesWithHistory: string[];
    }): Promise<{ results: FoundRecord[] }>;
  };
  searchApi: { doSearch(search: Search): Promise<{ results: FoundRecord[]; total: number }> };
};

export class Client {
  constructor(options: { basePath: string; accessToken?: string });
  readonly crm: {
    contacts: Objects;
    companies: Objects;
    lineItems: Objects;
    commerce: { invoices: Objects };
    properties: { coreApi: { getAll(objectType: string): Promise<{ results: { name: string }[] }> } };
    associations: {
      v4: {
        basicApi: { getPage(from: string, id: string, to: string): Promise<{ results: Link[] }> };
        batchApi: {
          getPage(
            from: string,
            to: string,
            request: { inputs: { id: string }[] },
          ): Promise<{ results: { _from: { id: string }; to: Link[] }[] }>;
        };
      };
    };
  };
  readonly oauth: {
    tokensApi: {
      create(
        grantType: string,
        code?: string,
        redirectUri?: string,
        clientId?: string,
        clientSecret?: string,
        refreshToken?: string,
      ): Promise<{ accessToken: string; refreshToken: string; expiresIn: number; tokenType: string }>;
    };
    accessTokensApi: {
      get(token: string): Promise<{ hubId: number; user?: string; hubDomain?: string; tokenType: string }>;
    };
  };
}
