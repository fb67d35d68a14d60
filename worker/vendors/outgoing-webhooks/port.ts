/** Starts builds of the public site. */
export type SiteBuilder = {
  /** False when no hook is configured. */
  isThere: boolean;
  /** Never throws: `silent` means that the builder did not answer. */
  request(build: { build: string; revision: number }): Promise<'asked' | 'refused' | 'silent'>;
};

/** An alert as the operator's receiver gets it; `text` alone is what chat services show. Nothing of a payer is in it. */
export type AlertMessage = {
  text: string;
  event: string;
  key: string;
  n: number;
  /** ISO. */
  first_at: string;
  /** The page where it stands. */
  url: string;
};

/** The addresses of the operator's choice, outside the product. */
export type OperatorLine = {
  /** Never throws. `none`: no address is set; `silent`: nobody answered in time; `refused`: any answer but 2xx. */
  post(message: AlertMessage): Promise<'sent' | 'refused' | 'silent' | 'none'>;
  /** Says that a run of the schedule was clean. Never throws; false: nobody heard it. */
  beat(): Promise<boolean>;
};
