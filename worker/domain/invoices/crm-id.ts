const CRM_ID = /^\d{1,18}$/;

/** The CRM's record ids are decimal numbers; our pay ids never are. */
export const isCrmId = (id: string): boolean => CRM_ID.test(id);
