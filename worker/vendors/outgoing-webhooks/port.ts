/** Starts builds of the public site. */
export type SiteBuilder = {
  /** False if no hook is configured. */
  isConfigured: boolean;
  /** Never throws. `silent`: the builder did not respond. */
  request(build: { build: string; revision: number }): Promise<'asked' | 'refused' | 'silent'>;
};

/** An alert for the operator's receiver. Chat services show only `text`. It contains no payer data. */
export type AlertMessage = {
  text: string;
  event: string;
  key: string;
  n: number;
  /** ISO time. */
  first_at: string;
  /** The page that shows the alert. */
  url: string;
};

/** The external receivers that the operator configured. */
export type OperatorChannel = {
  /** Never throws. `none`: no URL is set. `silent`: no response in time. `refused`: any status but 2xx. */
  post(message: AlertMessage): Promise<'sent' | 'refused' | 'silent' | 'none'>;
  /** Reports a scheduled run without errors. Never throws; false if the heartbeat was not received. */
  sendHeartbeat(): Promise<boolean>;
};
