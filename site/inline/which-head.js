if (document.cookie.includes('authToken=')) document.documentElement.dataset.merchant = '';
